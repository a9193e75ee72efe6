{{- define "common.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "common.labels" -}}
{{ include "common.selector" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}
