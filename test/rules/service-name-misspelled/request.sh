# Names of Services in a script: http://baskte.shop.svc in a comment.
curl "http://baskte.shop.svc.cluster.local/health"
#            ~~~~~~ hint service-name-misspelled "No Service 'baskte' in namespace 'shop' in this workspace. Closest" → shop.yaml:5 "basket" [Change to 'basket']
curl http://basket.shop.svc.cluster.locl:80
#                           ~~~~~~~~~~~~ hint service-name-misspelled "'cluster.locl' is not the domain of Services in the cluster" [Change to 'cluster.local']
curl http://baskte:80 "http://${PREFIX}baskte.shop.svc"
