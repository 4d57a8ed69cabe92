/* Functions and parameters with the names of other things. */
int counter = 1;
int report(int self) { return counter + self; }
int globals(int from) { return from; }
int explain(void) { return 7; }
int count(void) { return counter; }
