{{- define "shop.labels" -}}
app.kubernetes.io/name: {{ include "shop.name" . }}
helm.sh/chart: {{ include "shop.chart" . }} and more
{{- end }}
#= 0 objects, 0 labels
