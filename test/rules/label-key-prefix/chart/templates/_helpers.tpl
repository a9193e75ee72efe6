{{- define "shop.labels" -}}
app.kubernetes.io/name: shop
flavor: sweet
#<~~~~ information label-key-prefix "Label key 'flavor' has no prefix"
shop.example.com/area: web
{{- end }}
