kubectl patch deploy basket --type=josn
#                                  ~~~~ warning command-argument "`--type` must be 'strategic', 'merge' or 'json', not 'josn'" [Change the value to 'json']
