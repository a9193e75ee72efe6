{{- define "helped.labels" -}}
purpose: the-prices-that-are-shown-in-the-shop
#        ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ information label-too-structured "Label value 'the-prices-that-are-shown-in-the-shop' looks like a sentence"
shop.example.com/when: "20250911134502"
#                      ~~~~~~~~~~~~~~~~ information label-too-structured "Label value '20250911134502' looks like a time"
shop.example.com/build: "20250911134502"
{{- end }}
