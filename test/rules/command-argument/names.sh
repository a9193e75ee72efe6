kubectl create namespace A_b
#                        ~~~ warning command-argument "Name 'A_b' is invalid"
