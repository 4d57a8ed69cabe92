"""Control and data flow of a loop's body: what is assigned, live, certain to run, the same in all threads of a team."""
