{{- define "sound.labels" -}}
app: {{ .Release.Name }}
{{ .Values.key }}: blue
{{- end }}
{{- define "sound.name" -}}
{{- if .Values.name }}
  {{- .Values.name }}
{{- else }}
  shop
{{- end }}
{{- end }}
{{- define "sound.part" -}}
{{- if .Values.part }}
  bakery
{{- else }}
  shop
{{- end }}
{{- end }}
{{- define "sound.names" -}}
name: {{ include "sound.name" . }}
part: {{ include "sound.part" . }}
{{- end }}
#= 0 objects, 0 labels
