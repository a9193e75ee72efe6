# Phrases in capitals are placeholders, which a reader replaces.
kubectl get pods -l "app=YOUR APP NAME"
kubectl get pods -l 'YOUR KEY=x,app in (YOUR APP NAME, b)'
kubectl get pods -l 'APP NAME'
kubectl get pods -l 'TEAM BLUE=x'
#                         ~~~~ error selector-syntax "A key must not contain spaces" [Change to 'TEAM-BLUE=x']
kubectl label pod a "app=YOUR APP NAME" TEAM="TEAM NAME"
kubectl taint nodes a "YOUR KEY=YOUR VALUE:NoSchedule"
kubectl create ns "YOUR NAMESPACE" -o "name"
kubectl get pods -l 'app in (web api)' -l 'app notin (web, api job),tier'
#                    ~~~~~~~~~~~~~~~~ warning command-argument "A later `-l` replaces 'app in (web api)'"
#                                                              ~~~ error selector-syntax "The values of a list are separated with ','" [Change to 'app notin (web, api, job),tier']
