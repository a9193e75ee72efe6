# The shell replaces the commands in a here-document, unless its delimiter is quoted.
kubectl apply -f - <<END
apiVersion: v1
kind: ConfigMap
metadata:
  name: prices-$(date +%s | md5sum | cut -c1-8)
  labels:
    pipe: $(date +%s | md5sum | cut -c1-8)
    quoted: "$(whoami | tr 'A-Z' 'a-z')"
    old: `date +%s`
    sum: $(( 1 + 2 ))
    nested: v$(cut -d. -f1 $(ls versions))
    test: $([ -n "$X" ] && echo a || echo b)
END
kubectl apply -f - <<'END'
apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    pipe: $(date +%s | cut -c1-8)
    #     ~~~~~~~~~~~~~~~~~~~~~~~ warning label-value-syntax "Label value must not contain '$('" [Move the label to the annotations]
END
