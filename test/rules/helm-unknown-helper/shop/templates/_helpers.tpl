{{- define "web.labels" -}}
app: web
{{- end }}
#= 0 objects, 0 labels
