#!/bin/sh
# Selectors in commands are understood too: hover over this one, or rename the label in a manifest.
kubectl get pods -n shop -l 'app.kubernetes.io/name=basket,track in (stable,canary)'
