{{- define "prices.selectorLabels" -}}
app.kubernetes.io/name: prices
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
