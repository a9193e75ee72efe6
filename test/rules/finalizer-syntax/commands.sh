kubectl patch pod web --type=json -p '[{"op":"add","path":"/metadata/finalizers","value":"x.io/y"}]'
#                                                                    ~~~~~~~~~~ error finalizer-syntax "`finalizers` must be a list"
