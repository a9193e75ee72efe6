{{- define "bakery.metadata" -}}
labels:
  app.kubernetes.io/part-of: bakery
{{- end -}}
{{- define "bakery.selector" -}}
app.kubernetes.io/name: bakery
{{- end -}}
{{- define "bakery.pod" -}}
{{- include "bakery.validate" . -}}
metadata:
  labels:
    {{- include "bakery.selector" . | nindent 4 }}
spec:
  containers: [{name: web, image: bakery/web}]
{{- end -}}
{{- define "bakery.annotated" }}
  annotations:
    bakery.example/owner: ovens
  {{- with .Values.annotations }}
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
#= 0 objects, 0 labels
