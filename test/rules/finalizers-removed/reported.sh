# Patches that remove finalizers (requirement O4).
kubectl patch pvc data -p '{"metadata":{"finalizers":null}}'
#                          ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ information finalizers-removed "This patch removes finalizers"
kubectl patch pvc data --type=merge -p '{"metadata":{"finalizers":[]}}'
#                                       ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ information finalizers-removed "This patch removes finalizers"
kubectl patch pvc data --type json -p='[{"op":"remove","path":"/metadata/finalizers"}]'
#                                      ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ information finalizers-removed "This patch removes finalizers"
# A strategic merge patch without items changes nothing.
kubectl patch pvc data -p '{"metadata":{"finalizers":[]}}'
kubectl patch pvc data -p "{\"metadata\":{\"finalizers\":[\"example.com/$NAME\"]}}"
