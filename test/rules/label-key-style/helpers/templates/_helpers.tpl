{{- define "helped.labels" -}}
costCenter: blue
#<~~~~~~~~ information label-key-style "Label key 'costCenter' should be in lower case with dashes" [Change the key to 'cost-center']
{{- end }}
{{- define "helped.annotations" -}}
costCenterOwner: blue
#<~~~~~~~~~~~~~ information label-key-style "Annotation key 'costCenterOwner' should be in lower case with dashes"
{{- end }}
