// ompc_kernels.h: all that kernels are made of. What is new for them is included here, and found by both targets and by NVRTC.

#ifndef OMPC_KERNELS_H
#define OMPC_KERNELS_H

#include "ompc_argmin_argmax.h"
#include "ompc_atomic.h"
#include "ompc_batches.h"
#include "ompc_bits.h"
#include "ompc_block_per_row.h"
#include "ompc_collected_adds.h"
#include "ompc_collected_entries.h"
#include "ompc_complex.h"
#include "ompc_device_printf.h"
#include "ompc_exact_products.h"
#include "ompc_exchange.h"
#include "ompc_expanded.h"
#include "ompc_histograms.h"
#include "ompc_initial.h"
#include "ompc_lanes.h"
#include "ompc_narrow_streams.h"
#include "ompc_nests.h"
#include "ompc_ordered_counts.h"
#include "ompc_partials.h"
#include "ompc_running_sums.h"
#include "ompc_producer_warps.h"
#include "ompc_products.h"
#include "ompc_reduce.h"
#include "ompc_scan.h"
#include "ompc_schedule.h"
#include "ompc_thread_group.h"
#include "ompc_tiles.h"
#include "ompc_transposed.h"
#include "ompc_trips.h"
#include "ompc_truth.h"
#include "ompc_unroll_and_jam.h"
#include "ompc_vector_access.h"

#endif
