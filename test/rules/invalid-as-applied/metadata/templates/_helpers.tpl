{{- define "basket.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
#              ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ error invalid-as-applied "Label value must not contain '+'" → metadata/templates/prices.yaml:2 "ConfigMap"
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
#<~~~~~~~~~~~~~~~~~~~~~~~ error invalid-as-applied "Label value must not contain ' '" → metadata/templates/prices.yaml:2 "ConfigMap"
app.kubernetes.io/name: {{ .Chart.Name }}
{{- end }}

{{- define "basket.sound" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
owner: {{ .Values.owner }}
{{- end }}
