"""The build cache, and the manifests that say what a build has read."""
