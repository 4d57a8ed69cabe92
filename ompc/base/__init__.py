"""The ground floor: diagnostics, sources, options, optimisations, resources. It imports no other package of ompc."""
