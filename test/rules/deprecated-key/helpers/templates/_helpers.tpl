{{- define "helped.nodes" -}}
beta.kubernetes.io/os: linux
#<~~~~~~~~~~~~~~~~~~~ warning deprecated-key (deprecated) "Label key 'beta.kubernetes.io/os' is deprecated" [Change the key to 'kubernetes.io/os']
{{- end }}
{{- define "helped.zone" -}}
failure-domain.beta.kubernetes.io/zone: zone-1
{{- end }}
