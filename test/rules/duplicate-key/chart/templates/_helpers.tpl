{{- define "hook" }}
- name: {{ .name }}.example.com
  sideEffects: None
  admissionReviewVersions: [v1]
  clientConfig:
    url: https://hooks.example.com
{{- end }}
#= 0 objects, 0 labels
