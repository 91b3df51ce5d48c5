"""What is done with dice, one primitive a file. Nothing here knows where faces come from."""
