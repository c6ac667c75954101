; Read after ../c/declarations.scm.

; Definitions
(class_specifier name: (_) @name body: (_)) @definition.class
(namespace_definition name: (_) @name) @definition.namespace
(namespace_definition name: (_) @namespace)
(alias_declaration name: (_) @name type: (_) @type) @definition.type
(concept_definition name: (_) @name) @definition.type
(function_definition type: (_)? @type declarator: (_) @name) @definition.function
(declaration !type declarator: (function_declarator) @name) @definition.function
(declaration !type declarator: (operator_cast) @name) @definition.function
(field_declaration type: (_) @type declarator: [
  (function_declarator declarator: [(field_identifier) (identifier) (operator_name) (template_method)])
  (pointer_declarator declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)])
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier)))])
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)]))] @name) @definition.method
(field_declaration type: (_) @type declarator: (_) @name) @definition.field
(declaration type: (_) @type declarator: [
  (function_declarator declarator: [(identifier) (operator_name)])
  (pointer_declarator declarator: [
    (function_declarator declarator: [(identifier) (operator_name)])
    (pointer_declarator declarator: (function_declarator declarator: (identifier)))])
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)]))] @name) @definition.function
(declaration type: (_) @type declarator: [
  (function_declarator declarator: (parenthesized_declarator [
    (identifier)
    (parenthesized_declarator (identifier))
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (parenthesized_declarator (identifier))]))]))
  (pointer_declarator declarator: [
    (function_declarator declarator: (parenthesized_declarator [
      (identifier)
      (pointer_declarator declarator: (function_declarator declarator: (identifier)))]))
    (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (identifier))))])] @name) @definition.function
(declaration type: (_) @type declarator: (_) @name) @definition.variable

; Imports
(using_declaration) @import

; Heritage
(base_class_clause (type_identifier) @reference.extends)
(base_class_clause (template_type name: (type_identifier) @reference.extends))
(base_class_clause (qualified_identifier scope: (_) @receiver name: [
  (type_identifier) @reference.extends
  (template_type name: (type_identifier) @reference.extends)]))
(base_class_clause (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: [
  (type_identifier) @reference.extends
  (template_type name: (type_identifier) @reference.extends)])))

; Uses
(new_expression type: [(type_identifier) @reference.new (template_type name: (type_identifier) @reference.new)])
(new_expression type: (qualified_identifier scope: (_) @receiver name: [
  (type_identifier) @reference.new
  (template_type name: (type_identifier) @reference.new)]))
(call_expression function: (template_function name: (identifier) @reference.call))
(call_expression function: (field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @reference.member-call)))
(call_expression function: (qualified_identifier scope: (_) @receiver name: [
  (identifier) @reference.member-call
  (template_function name: (identifier) @reference.member-call)]))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: [
  (identifier) @reference.member-call
  (template_function name: (identifier) @reference.member-call)])))
(call_expression function: (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: [
  (identifier) @reference.member-call
  (template_function name: (identifier) @reference.member-call)]))))
(qualified_identifier scope: (namespace_identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.type)
(qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @reference.type))
(qualified_identifier scope: (_) @receiver name: (identifier) @reference.member)
(destructor_name (identifier) @ignore)

; What binds names
[(lambda_expression) (for_range_loop) (catch_clause) (template_declaration) (if_statement) (while_statement)] @scope
(optional_parameter_declaration type: (_) @type declarator: (_) @local)
(for_range_loop type: (_) @type declarator: (_) @local)
(structured_binding_declarator (identifier) @local)
(lambda_capture_initializer left: (identifier) @local)
(type_parameter_declaration (type_identifier) @local)
(declaration type: (_) @type declarator: [(reference_declarator) (function_declarator declarator: (identifier))] @local)
(declaration declarator: (init_declarator declarator: (_) @local value: (new_expression type: (_) @type)))
(init_declarator declarator: (identifier) @local value: (call_expression function: [
  (template_function name: (_) @_make arguments: (template_argument_list . (type_descriptor) @type))
  (qualified_identifier name: (template_function name: (_) @_make arguments: (template_argument_list . (type_descriptor) @type)))])
  (#match? @_make "^(make_(unique|shared)|static_cast|dynamic_cast|static_cast_with_check)$"))
