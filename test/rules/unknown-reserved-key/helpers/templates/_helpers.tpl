{{- define "helped.selector" -}}
app.kubernetes.io/nmae: helped
#<~~~~~~~~~~~~~~~~~~~~ warning unknown-reserved-key "Label key 'app.kubernetes.io/nmae' is not known. Did you mean 'app.kubernetes.io/name'?" [Change the key to 'app.kubernetes.io/name']
{{- end }}
{{- define "helped.labels" -}}
{{ include "helped.selector" . }}
app.kubernetes.io/verison: {{ .Chart.Version | quote }}
#<~~~~~~~~~~~~~~~~~~~~~~~ warning unknown-reserved-key "Label key 'app.kubernetes.io/verison' is not known. Did you mean 'app.kubernetes.io/version'?" [Change the key to 'app.kubernetes.io/version']
kubernetes.io/team: blue
#<~~~~~~~~~~~~~~~~ information unknown-reserved-key "Label key 'kubernetes.io/team' is not known, and the prefix 'kubernetes.io' is reserved for Kubernetes"
shop.example.com/team: blue
{{- end }}
{{- define "helped.own" -}}
app.kubernetes.io/componnet: web
#<~~~~~~~~~~~~~~~~~~~~~~~~~ warning unknown-reserved-key "Label key 'app.kubernetes.io/componnet' is not known. Did you mean 'app.kubernetes.io/component'?"
{{- end }}
{{- define "helped.unused" -}}
app.kubernetes.io/nmae: helped
{{- end }}
