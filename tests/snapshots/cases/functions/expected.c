#include "input.ompc.h"
/* Device copies of functions that use and write objects of the file; C++ keywords as names. */
#include <math.h>

typedef struct { double x, y; int class; } Point;

static Point points[500];
static double scale = 2.0;
static int visits[500];

static double length(Point p) { return sqrt(p.x * p.x + p.y * p.y) * scale; }

static void visit(int new, double limit)
{
    if (length(points[new]) > limit)
        points[new].class++;
    visits[new]++;
}

void visit_all(int n, double limit)
{
    OMPC_OFFLOAD(ompc_launch_visit_all(scale, n, limit, points, visits))
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        visit(i, limit);
}
OMPC_GLOBALS({points, sizeof points}, {visits, sizeof visits})
