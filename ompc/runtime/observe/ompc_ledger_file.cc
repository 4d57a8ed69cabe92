// ompc_ledger_file.cc: writes the ledger (OMPC_PROFILE=FILE) and closes the trace, when the program ends.
//
// One JSON object, schema 2; docs/profile.md of ompc says what each number is.

#include "ompc_json.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_region.h"
#include "ompc_start.h"
#include "ompc_timeline.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ompc {

// Members that arrays, regions and the totals have in common.
static void write_traffic(std::FILE *file, const Traffic &traffic)
{
    for (const bool in : {true, false}) {
        const Copies &copies = in ? traffic.in : traffic.out;
        const char *const way = in ? "h2d" : "d2h";
        write_text(file, "\"%s_seconds\": %.9g, \"%s_bytes\": %llu, \"%s_again_bytes\": %llu, \"%s_copies\": %llu, ", way, copies.seconds, way,
                     copies.bytes, way, copies.again, way, copies.copies);
    }
    write_text(file, "\"avoided\": {");
    for (int i = 0; i < reasons_to_avoid; i++)
        write_text(file, "%s\"%s\": %llu", i == 0 ? "" : ", ", names_of_reasons[i], traffic.avoided[i]);
    write_text(file, "}, \"waits\": {");
    for (int i = 0; i < reasons_to_wait; i++)
        write_text(file, "%s\"%s\": {\"count\": %llu, \"seconds\": %.9g}", i == 0 ? "" : ", ", names_of_waits[i], traffic.waits[i].count,
                     traffic.waits[i].seconds);
    write_text(file, "}");
}

// What the device can do: nothing of an emulator.
static void write_rates(std::FILE *file, const Ledger &book)
{
    if (book.operations_per_second <= 0)
        return;
    const Rates rates = rates_of_device();
    write_text(file, " \"rates\": {\"memory_bytes_per_second\": %.9g, \"operations_per_second\": %.9g, \"launch_seconds\": %.9g},\n",
               rates.memory_bytes_per_second, rates.operations_per_second, rates.launch_seconds);
}

// The seconds in which the program did nothing but this: they add up to those of the program.
static void write_parts(std::FILE *file, const Partition &parts)
{
    double whole = parts.own();
    for (int kind = 0; kind < kinds_of_work; kind++)
        whole += parts.seconds(kind);
    write_text(file, " \"wall_seconds\": %.9g,\n \"parts\": {", whole);
    for (int kind = 0; kind < kinds_of_work; kind++)
        write_text(file, "\"%s\": %.9g, ", names_of_work[kind], parts.seconds(kind));
    write_text(file, "\"host\": %.9g},\n", parts.own());
}

static void write_totals(std::FILE *file, const Ledger &book)
{
    Traffic all;
    unsigned long long launches = 0, refused = 0, kept = 0;
    double wall = 0, kernel = 0;
    for (const Region *region = book.first; region != nullptr; region = region->next) {
        all += region->counters.all();
        launches += region->counters.launches;
        refused += region->counters.refused.load();
        kept += region->counters.kept;
        wall += region->counters.wall_seconds;
        kernel += region->counters.kernel_seconds;
    }
    write_text(file, " \"totals\": {\"launches\": %llu, \"refused\": %llu, \"kept\": %llu, \"wall_seconds\": %.9g, \"kernel_seconds\": %.9g,\n  ", launches,
                 refused, kept, wall, kernel);
    write_traffic(file, all);
    if (book.to_peers.count + book.from_peers.count != 0)
        write_text(file, ",\n  \"peer_sent_bytes\": %llu, \"peer_sent_messages\": %llu, \"peer_received_bytes\": %llu, \"peer_received_messages\": %llu",
                   book.to_peers.bytes, book.to_peers.count, book.from_peers.bytes, book.from_peers.count);
    write_text(file, "},\n");
}

static void write_region(std::FILE *file, const Region &region)
{
    const Counters &c = region.counters;
    write_text(file, "\n  {\"id\": %s, \"file\": %s, \"line\": %d, \"directive\": %s,\n   ", json_string(region.id).c_str(),
                 json_string(region.file).c_str(), region.line, json_string(region.directive).c_str());
    write_text(file, "\"loops\": [");
    for (unsigned i = 0; i < region.joint; i++)
        write_text(file, "%s%s", i == 0 ? "" : ", ", json_string(region.loops[i].id).c_str());
    write_text(file, "], \"launches\": %llu, \"refused\": %llu, \"kept\": %llu, \"wall_seconds\": %.9g, \"kernel_seconds\": %.9g,\n   ", c.launches,
                 c.refused.load(), c.kept, c.wall_seconds, c.kernel_seconds);
    write_traffic(file, c.all());
    if (c.divided != 0 || c.remote_bytes > 0)
        write_text(file, ",\n   \"divided\": %llu, \"remote_bytes\": %.9g", c.divided, c.remote_bytes);
    write_text(file, ",\n   \"used_bytes\": %.9g, \"operations\": %.9g,\n   \"sizes\": [", c.used_bytes, c.operations);
    const char *before = "";
    for (int n = 0; n < size_classes; n++)
        if (c.sizes[n].launches != 0) {
            write_text(file, "%s{\"iterations_log2\": %d, \"launches\": %llu, \"kernel_seconds\": %.9g}", before, n, c.sizes[n].launches,
                         c.sizes[n].kernel_seconds);
            before = ", ";
        }
    write_text(file, "],\n   \"arrays\": [");
    for (const Traffic *array = c.arrays; array != nullptr; array = array->next) {
        write_text(file, "%s\n    {\"name\": %s, ", array == c.arrays ? "" : ",", json_string(array->array).c_str());
        write_traffic(file, *array);
        write_text(file, "}");
    }
    write_text(file, "]}");
}

static void write_ledger(std::FILE *file)
{
    const Ledger &book = ledger();
    write_text(file, "{\"schema\": 2, \"target\": %s, \"device\": %s, \"no_device\": %s,", json_string(book.target).c_str(),
               json_string(book.device).c_str(), json_string(book.no_device).c_str());
    write_text(file, " \"init_seconds\": %.9g, \"page_lock_seconds\": %.9g,\n", book.init_seconds, book.page_lock_seconds);
    write_rates(file, book);
    write_parts(file, timeline().divided());
    write_totals(file, book);
    write_text(file, " \"regions\": [");
    for (const Region *region = book.first; region != nullptr; region = region->next) {
        write_region(file, *region);
        write_text(file, region->next == nullptr ? "" : ",");
    }
    write_text(file, "]}\n");
}

// Writes the file that OMPC_PROFILE names, once; a forked child writes none.
static void write_ledger()
{
    if (ledger().owner != getpid())
        return; // and touches nothing: a child of vfork is in its parent's memory
    const Locked guard(ledger().lock);
    if (ledger().written)
        return;
    ledger().written = true;
    static_cast<void>(timeline().divided());
    if (settings().profile.empty())
        return;
    std::FILE *const file = ompc_libc_fopen(settings().profile.c_str(), "w");
    if (file == nullptr) {
        tell(nullptr, "cannot write the profile %s: %s [OMPC456]", settings().profile.c_str(), std::strerror(errno));
        return;
    }
    write_ledger(file);
    ompc_libc_fclose(file);
}

// From before main on, so that a program that reaches no region writes one too, and after its own atexit handlers.
void write_ledger_at_exit()
{
    if (!settings().counting && !logs(log_launches)) // of kernels that nobody waits for the time is known then
        return;
    ledger(); // is this process's
    ompc_at_exit(write_ledger);
    at_quick_exit(write_ledger);
    ompc_on_immediate_exit(write_ledger);
}

} // namespace ompc
