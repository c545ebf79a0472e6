"""The search for reference designs: templates, linear statics, annealing, the simulator's word."""
