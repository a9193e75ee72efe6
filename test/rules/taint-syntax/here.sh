# Tolerations in a here-document (requirement Z1).
kubectl apply -f - <<'END'
apiVersion: v1
kind: Pod
metadata: { name: basket }
spec:
  tolerations:
    - { key: spot, operator: Exist }
    #                        ~~~~~ warning taint-syntax "Operator of a toleration must be 'Equal' or 'Exists', not 'Exist'" [Change the operator to 'Exists']
    - { key: spot, operator: Exists }
  containers: [{ name: basket, image: example.com/basket }]
END
kubectl apply -f - <<END
apiVersion: v1
kind: Pod
metadata: { name: $NAME }
spec:
  tolerations: [{ key: "$KEY", operator: $OPERATOR, effect: noSchedule }]
  #                                                         ~~~~~~~~~~ warning taint-syntax "Effect of a toleration must be 'NoSchedule', 'PreferNoSchedule' or 'NoExecute', not 'noSchedule'" [Change the effect to 'NoSchedule']
  containers: [{ name: basket, image: example.com/basket }]
END
