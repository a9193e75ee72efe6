{{- define "bakery.oven.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/component: oven
{{- end }}
{{- define "bakery.mixer.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/component: mixer
{{- end }}
#= 0 objects, 0 labels
