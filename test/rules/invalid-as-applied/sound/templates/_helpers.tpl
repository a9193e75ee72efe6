{{- define "sound.labels" -}}
app: {{ .Release.Name }}
{{ .Values.key }}: blue
{{- end }}
#= 0 objects, 0 labels
