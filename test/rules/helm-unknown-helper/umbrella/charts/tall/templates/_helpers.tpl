{{- define "tall.labels" -}}
app: tall
{{- end }}
#= 0 objects, 0 labels
