{{- define "vote.selectorLabels" -}}
app.kubernetes.io/name: vote
{{- end }}
