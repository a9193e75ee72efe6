{{- define "web.name" -}}{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}{{- end -}}
{{- define "web.labels" }}
app: {{ include "web.name" . }}
release: {{ .Release.Name }}
{{- end }}
{{- define "echo" -}}[{{ . }}]{{- end -}}
{{- define "truth" -}}{{- if .Values.enabled }}true{{ end -}}{{- end -}}
{{- define "wrap" -}}{{ .name }}/{{ .root.Release.Name }}{{- end -}}
