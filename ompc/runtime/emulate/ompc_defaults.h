// ompc_defaults.h (emulate): what the target is called, and whether it is asked of each launch that it is worth it.

#ifndef OMPC_DEFAULTS_H
#define OMPC_DEFAULTS_H

#define OMPC_TARGET "emulate"
#define OMPC_WEIGHS_BY_DEFAULT false

#endif
