// ompc_defaults.h of a device that runs behind the host.

#ifndef OMPC_DEFAULTS_H
#define OMPC_DEFAULTS_H

#define OMPC_TARGET "none"
#define OMPC_WEIGHS_BY_DEFAULT false

#endif
