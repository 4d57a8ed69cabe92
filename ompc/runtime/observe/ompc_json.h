// ompc_json.h: text between quotation marks in JSON.

#ifndef OMPC_JSON_H
#define OMPC_JSON_H

#include <cstdio>
#include <string>

namespace ompc {

// Calls emit(piece) for one short string after the other.
template <class Emit>
inline void escape_json(const char *text, Emit emit)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = static_cast<unsigned char>(*text);
        char piece[8];
        std::snprintf(piece, sizeof piece, c < 0x20 ? "\\u%04x" : c == '"' || c == '\\' ? "\\%c" : "%c", c);
        emit(piece);
    }
}

inline std::string json_string(const char *text)
{
    std::string out = "\"";
    escape_json(text, [&](const char *piece) { out += piece; });
    return out + "\"";
}

} // namespace ompc

#endif
