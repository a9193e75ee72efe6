{{- define "domain" -}}
{{ .Values.user }}.{{ .Values.environment }}
{{- end }}
#= 0 objects, 0 labels
