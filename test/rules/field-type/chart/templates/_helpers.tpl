{{- define "basket.port" -}}
3000
{{- end -}}
#= 0 objects, 0 labels
