{{- define "db.labels" -}}
app.kubernetes.io/name: db
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
#= 0 objects, 0 labels
