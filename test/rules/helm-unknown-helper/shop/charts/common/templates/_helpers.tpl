{{- define "common.selector" -}}
app: web
{{- end }}
#= 0 objects, 0 labels
