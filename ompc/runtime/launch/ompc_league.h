// ompc_league.h: may a loop that stands beside other code of a `teams` region be launched? (OpenMP 5.2, 10.2)
//
//     if (!ompc::are(ompc::one_team, region))
//         return 0;
//
// Each team comes to the loop by itself. gcc's teams on the host run one after the other, LLVM's at the same time.

#ifndef OMPC_LEAGUE_H
#define OMPC_LEAGUE_H

#include "ompc_region.h"

extern "C" {
int omp_get_num_teams(void) __attribute__((weak)); // absent when the program is linked without OpenMP
int __kmpc_global_thread_num(void *) __attribute__((weak)); // of LLVM's OpenMP runtime alone
}

namespace ompc {

// one_team: the loop's iterations are shared by the teams, and the launch does all of them.
// teams_in_turn: each team has all iterations, but what one launch copies no other thread may change meanwhile.
enum Teams { teams_in_turn, one_team };

// False: they are not as wanted, and the loop must run on the host.
inline bool are(Teams wanted, Region &region)
{
    if (omp_get_num_teams == nullptr || omp_get_num_teams() == 1)
        return true;
    if (wanted == teams_in_turn && __kmpc_global_thread_num == nullptr)
        return true;
    report_refusal(region, several_teams, wanted == one_team ? "several teams share its iterations" : "its teams run at the same time");
    return false;
}

} // namespace ompc

#endif
