"""What users run besides the compiler: the report, tuning, profiles, bisection and the answers of programs."""
