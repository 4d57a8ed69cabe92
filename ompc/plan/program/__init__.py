"""What belongs to the whole program or translation unit: functions, types, operators, messages, refusals."""
