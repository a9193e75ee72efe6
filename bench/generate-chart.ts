/** Generates the Helm charts of a workspace: common templates, helpers and values. */

import type { App } from './generate-objects.ts';
import type { GeneratedFile } from './generate-workspace.ts';

/** Returns the files of a chart for an application. */
export function chartFiles(app: App): readonly GeneratedFile[] {
  const folder = `charts/${app.name}`;
  const texts = {
    'Chart.yaml': `apiVersion: v2\nname: ${app.name}\nversion: 0.1.0\nappVersion: "${app.version}"\n`,
    'values.yaml': valuesOf(app),
    'templates/deployment.yaml': deploymentTemplate(app),
    'templates/service.yaml': serviceTemplate(app),
    'templates/hpa.yaml': autoscalerTemplate(app),
    'templates/networkpolicy.yaml': policyTemplate(app),
  };
  return Object.entries(texts).map(([name, text]) => ({ path: `${folder}/${name}`, text }));
}

const valuesOf = (app: App) => `replicaCount: 2
image:
  repository: registry.example.com/${app.team}/${app.name}
  tag: ${app.version}
service:
  port: 80
podAnnotations: {}
resources:
  requests: { cpu: 100m, memory: 128Mi }
  limits: { cpu: 500m, memory: 256Mi }
autoscaling:
  enabled: true
  minReplicas: 2
  maxReplicas: 8
`;

const deploymentTemplate = (app: App) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "${app.name}.fullname" . }}
  labels:
    {{- include "${app.name}.labels" . | nindent 4 }}
    team: ${app.team}
spec:
  {{- if not .Values.autoscaling.enabled }}
  replicas: {{ .Values.replicaCount }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "${app.name}.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      {{- with .Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      labels:
        {{- include "${app.name}.selectorLabels" . | nindent 8 }}
        app.kubernetes.io/component: ${app.tier}
    spec:
      serviceAccountName: {{ include "${app.name}.serviceAccountName" . }}
      containers:
        - name: {{ .Chart.Name }}
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          ports:
            - { name: http, containerPort: 8080, protocol: TCP }
          livenessProbe: { httpGet: { path: /live, port: http } }
          readinessProbe: { httpGet: { path: /ready, port: http } }
          resources:
            {{- toYaml .Values.resources | nindent 12 }}
`;

const serviceTemplate = (app: App) => `apiVersion: v1
kind: Service
metadata:
  name: {{ include "${app.name}.fullname" . }}
  labels:
    {{- include "${app.name}.labels" . | nindent 4 }}
spec:
  ports:
    - port: {{ .Values.service.port }}
      targetPort: http
      name: http
  selector:
    {{- include "${app.name}.selectorLabels" . | nindent 4 }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "${app.name}.serviceAccountName" . }}
  labels:
    app.kubernetes.io/name: ${app.name}
    app.kubernetes.io/instance: {{ .Release.Name }}
`;

const autoscalerTemplate = (app: App) => `{{- if .Values.autoscaling.enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "${app.name}.fullname" . }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "${app.name}.fullname" . }}
  minReplicas: {{ .Values.autoscaling.minReplicas }}
  maxReplicas: {{ .Values.autoscaling.maxReplicas }}
{{- end }}
`;

const policyTemplate = (app: App) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${app.name}
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: ${app.name}
  policyTypes: [Ingress]
  ingress:
    - from:
        - podSelector:
            matchExpressions:
              - { key: app.kubernetes.io/component, operator: In, values: [frontend, gateway] }
`;
