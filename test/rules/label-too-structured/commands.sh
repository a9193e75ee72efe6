kubectl label pod web example.com/when=20250911134502
#                                      ~~~~~~~~~~~~~~ information label-too-structured "Label value '20250911134502' looks like a time"
kubectl label pod web example.com/build=20250911134502 team=blue
kubectl label pod web example.com/when-
