{{- define "vote.selectorLabels" -}}
app.kubernetes.io/name: vote
app.kubernetes.io/component: server
#<~~~~~~~~~~~~~~~~~~~~~~~~~ warning immutable-selector-changed "The selector of Deployment/{{ .Release.Name }}-vote differs from HEAD (app.kubernetes.io/name=vote) and is immutable. The API server rejects this change" → chart/templates/vote.yaml:3 "Deployment"
{{- end }}
