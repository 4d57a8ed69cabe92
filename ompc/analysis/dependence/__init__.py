"""Dependence between iterations, and races: those that are certain, with the words that say so."""
