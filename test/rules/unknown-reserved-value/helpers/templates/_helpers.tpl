{{- define "helped.labels" -}}
istio-injection: enable
#                ~~~~~~ warning unknown-reserved-value "'enable' is not a known value of 'istio-injection'. Did you mean 'enabled'?" [Change the value to 'enabled']
{{- end }}
{{- define "helped.annotations" -}}
linkerd.io/inject: enable
#                  ~~~~~~ warning unknown-reserved-value "'enable' is not a known value of 'linkerd.io/inject'. Did you mean 'enabled'?" [Change the value to 'enabled']
{{- end }}
{{- define "helped.security" -}}
pod-security.kubernetes.io/enforce: restrict
#                                   ~~~~~~~~ error unknown-reserved-value "The value of 'pod-security.kubernetes.io/enforce' must be 'privileged', 'baseline' or 'restricted', not 'restrict'" [Change the value to 'restricted']
{{- end }}
