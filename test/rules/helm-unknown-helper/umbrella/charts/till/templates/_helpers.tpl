{{- define "till.labels" -}}
app: till
{{- end }}
#= 0 objects, 0 labels
