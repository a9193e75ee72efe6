{{- define "lamp.selectorLabels" -}}
app: lamp
{{- end }}
#= 0 objects, 0 labels
