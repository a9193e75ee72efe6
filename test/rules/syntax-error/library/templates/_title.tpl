{{- define "library.title" -}}
#<~ error syntax-error "`{{- define 'library.title' -}}` has no `end`"
