// ompc_log_events.h: what OMPC_LOG=5 says of streams and events.

#ifndef OMPC_LOG_EVENTS_H
#define OMPC_LOG_EVENTS_H

#include "ompc_log.h"
#include "ompc_stream_ids.h"

namespace ompc {

inline void note_event(StreamId way)
{
    if (logs(log_everything))
        note(nullptr, "an event is recorded in the stream of %s", name_of(way));
}
inline void note_wait(StreamId way)
{
    if (logs(log_everything))
        note(nullptr, "the stream of %s waits for an event", name_of(way));
}

} // namespace ompc

#endif
