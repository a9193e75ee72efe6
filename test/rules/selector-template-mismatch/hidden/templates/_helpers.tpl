{{- define "hidden.labels" -}}
app: hidden
{{- end }}
{{- define "hidden.pods" }}
    metadata:
      labels:
        {{- include "hidden.labels" . | nindent 8 }}
    spec:
      containers: []
{{- end }}
{{- define "hidden.others" }}
    metadata:
      labels:
        app: others
{{- end }}
#= 0 objects, 0 labels
