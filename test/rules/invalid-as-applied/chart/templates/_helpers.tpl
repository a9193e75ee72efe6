{{- define "shop.selector" -}}
app: shop
price list: summer
#<~~~~~~~~ error invalid-as-applied "Label key must not contain ' '" → chart/templates/service.yaml:3 "Service" [Change the key to 'price-list']
{{- end }}
{{- define "shop.labels" -}}
{{ include "shop.selector" . }}
Shop.example.com/tier: {{ .Values.tier }}
#<~~~~~~~~~~~~~~~~~~~ error invalid-as-applied "Prefix of the label key must be in lower case" → chart/templates/service.yaml:3 "Service" [Change the key to 'shop.example.com/tier']
"-first": a
#~~~~~~ error invalid-as-applied "Label key must begin with a letter or digit" → chart/templates/service.yaml:3 "Service" [Change the key to 'first']
-second: b
#<~~~~~ error invalid-as-applied "Label key must begin with a letter or digit" → chart/templates/service.yaml:3 "Service" [Change the key to 'second']
owner: "blue team"
#      ~~~~~~~~~~~ error invalid-as-applied "Label value must not contain ' '" → chart/templates/service.yaml:3 "Service" [Change the value to 'blue-team']
{{- end }}
